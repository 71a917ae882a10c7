"use strict";
// What works without this script: everything but the mark in the contents and their closing on a phone.
(() => {
  const contents = document.querySelector(".contents details");
  const wide = window.matchMedia("(min-width: 62.01rem)");
  const fit = () => { contents.open = wide.matches; };
  wide.addEventListener("change", fit);
  fit();

  const links = new Map();
  for (const link of contents.querySelectorAll("a")) {
    links.set(link.hash.slice(1), link);
    link.addEventListener("click", fit);
  }
  const parts = [...links.keys()].map((id) => document.getElementById(id));
  const mark = () => {
    const above = parts.filter((part) => part.getBoundingClientRect().top < window.innerHeight / 3);
    const end = window.innerHeight + window.scrollY >= document.documentElement.scrollHeight - 2;
    const current = end ? parts[parts.length - 1] : above[above.length - 1] || parts[0];
    for (const [id, link] of links) {
      if (id === current.id) link.setAttribute("aria-current", "true");
      else link.removeAttribute("aria-current");
    }
  };
  window.addEventListener("scroll", mark, { passive: true });
  mark();

  // A table that fits need not be a stop of the Tab key.
  const reach = () => {
    for (const table of document.querySelectorAll(".table")) {
      if (table.scrollWidth > table.clientWidth) table.setAttribute("tabindex", "0");
      else table.removeAttribute("tabindex");
    }
  };
  window.addEventListener("resize", reach);
  reach();

  // What is folded away is printed too, and what a link leads to is opened.
  const open = (id) => {
    for (let at = document.getElementById(id); at; at = at.parentElement) {
      if (at.tagName === "DETAILS") at.open = true;
    }
  };
  window.addEventListener("beforeprint", () => {
    for (const more of document.querySelectorAll("details.more")) more.open = true;
  });
  window.addEventListener("hashchange", () => open(location.hash.slice(1)));
  open(location.hash.slice(1));
})();
