"""A record computed again from its inputs."""
