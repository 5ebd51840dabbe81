/** A migration, never edited. Hosts and paths are compared by their bytes, whatever the language of the database. */
export const fullTextSchema = `
  ALTER TABLE page_entry ALTER COLUMN host_key TYPE TEXT COLLATE "C", ALTER COLUMN path TYPE TEXT COLLATE "C";
  CREATE TABLE page_text (
    page_id BIGINT PRIMARY KEY REFERENCES page_entry (page_id) ON DELETE CASCADE, words TSVECTOR NOT NULL
  );
  CREATE INDEX page_text_by_word ON page_text USING gin (words);
  CREATE FUNCTION hex(bytea) RETURNS text LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE
    AS $$SELECT upper(encode($1, 'hex'))$$;
`
