/** Refused calls of each team. */
export const refusalSchema = `
  CREATE TABLE refusal (
    team_id TEXT NOT NULL, digest TEXT NOT NULL, refused_at BIGINT NOT NULL, facts TEXT NOT NULL, PRIMARY KEY (team_id, digest)
  );
  CREATE INDEX refusal_by_time ON refusal (refused_at);
  `
