/**
 * Functions of SQLite that the statements of the store use and PostgreSQL lacks; the same names, so that both run the same SQL.
 * As there, the least or greatest of some values is null where one of them is.
 */
export const sqliteFunctions = `
  CREATE FUNCTION max(bigint, bigint) RETURNS bigint LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE
    AS 'SELECT greatest($1, $2)';
  CREATE FUNCTION min(bigint, bigint) RETURNS bigint LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE
    AS 'SELECT least($1, $2)';
  CREATE FUNCTION min(bigint, bigint, bigint) RETURNS bigint LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE
    AS 'SELECT least($1, $2, $3)';
  CREATE FUNCTION unhex(text) RETURNS bytea LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE
    AS $$SELECT decode($1, 'hex')$$;
  CREATE FUNCTION json_each(text) RETURNS TABLE (key bigint, value text) LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE
    AS $$SELECT place - 1, item #>> '{}' FROM jsonb_array_elements($1::jsonb) WITH ORDINALITY AS list (item, place)$$;
  CREATE FUNCTION json_array_length(text) RETURNS bigint LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE
    AS 'SELECT jsonb_array_length($1::jsonb)';
  CREATE FUNCTION json_insert(text, text, text) RETURNS text LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE
    AS $$SELECT ($1::jsonb || to_jsonb($3))::text WHERE $2 = '$[#]'$$;
  CREATE FUNCTION json_field(text, text) RETURNS text LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE
    AS 'SELECT $1::jsonb ->> $2';
  CREATE OPERATOR ->> (LEFTARG = text, RIGHTARG = text, FUNCTION = json_field);
`

/** The same, for the time of the database's own clock. */
export const databaseClock = `
  CREATE FUNCTION unixepoch(text) RETURNS double precision LANGUAGE sql VOLATILE STRICT
    AS $$SELECT extract(epoch FROM clock_timestamp())::double precision WHERE $1 = 'subsec'$$;
`
