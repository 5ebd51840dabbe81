import type { Objects } from '../objects.ts'
import { nullableText } from '../sqlite/db/columns.ts'
import type { Row } from '../sqlite/db/db.ts'
import { refuse } from './claim-target.ts'

/** Rows of files, each with its content, wherever it lies. One that is no longer there, such as that of a file that has expired, is left out. */
export async function filesWithContent(rows: readonly Row[], objects: Objects | undefined): Promise<Row[]> {
  const whole: Row[] = []
  for (const row of rows) {
    const key = nullableText(row.raw_object_key ?? null)
    if (key !== null && !objects)
      refuse('Files of the source lie in an object store.', 'Set GOSSAMER_OBJECTS_URL as its servers have it.')
    const content = key === null ? undefined : await objects?.get(key, Number(row.raw_object_bytes))
    if (key === null) whole.push(row)
    else if (content) whole.push({ ...row, raw_bytes: content, raw_object_key: null, raw_object_bytes: null })
  }
  return whole
}
