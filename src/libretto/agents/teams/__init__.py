"""Teams: agents with roles that compose together, each team declared in one file."""

from libretto.agents.teams.composer import TeamComposer
from libretto.agents.teams.team import Role, Team, load_team, team_names

__all__ = ["Role", "Team", "TeamComposer", "load_team", "team_names"]
