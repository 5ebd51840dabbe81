/** A migration, never edited: terms of teams, and keys that expire. */
export const teamSchema = `
  CREATE TABLE team (id TEXT PRIMARY KEY, created_at BIGINT NOT NULL, terms TEXT NOT NULL);
  ALTER TABLE api_key ADD COLUMN expires_at BIGINT;
  ALTER TABLE api_key ADD COLUMN last_used_at BIGINT;
  CREATE INDEX api_key_by_team ON api_key (team_id);
`
