/** A migration, never edited: of body and parts of a page, and of what it is found by; null where it is not known, as of all pages before. */
export const digestSchema = `
  ALTER TABLE cache_page ADD COLUMN digest BLOB;
  ALTER TABLE page_entry ADD COLUMN digest BLOB;
  `
