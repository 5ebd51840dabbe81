import { objectTables } from '../../sqlite/db/schemas/object-schema.ts'

/** A migration, never edited: as in the embedded database. */
export const objectSchema = `${objectTables}
  CREATE FUNCTION object_left_behind() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
    IF old.object_key IS NOT NULL AND (TG_OP = 'DELETE' OR new.object_key IS DISTINCT FROM old.object_key) THEN
      INSERT INTO object_left (object_key, due_at, is_doomed) VALUES (old.object_key, 0, TRUE)
        ON CONFLICT (object_key) DO NOTHING;
    END IF;
    RETURN NULL;
  END $$;
  CREATE TRIGGER linked_file_object AFTER UPDATE OF object_key OR DELETE ON linked_file FOR EACH ROW
    EXECUTE FUNCTION object_left_behind();
`
