"""Studies: drills that say plainly what they practise, written from nothing but the concept, the key and the level."""
