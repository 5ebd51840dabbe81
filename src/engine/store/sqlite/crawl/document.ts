import type { ClaimedPage } from '../../../../contracts/crawl.ts'
import { type Condition, packed, type Statement } from '../db/db.ts'
import { divided, keepText, textId } from '../kept-text.ts'

/** The result of a page, behind those that its crawl has, if the condition holds. */
export function insertDocument({ crawlId, id }: ClaimedPage, document: object, condition: Condition): Statement[] {
  const { json, text, size } = divided(document)
  return [
    ...(text ? [keepText(text, condition)] : []),
    {
      sql: `INSERT INTO crawl_document (crawl_id, n, page_id, bytes, document_zst, text_id)
        SELECT ?, (SELECT coalesce(max(n), -1) + 1 FROM crawl_document WHERE crawl_id = ?), ?, ?, ?, ${textId}
        WHERE ${condition.sql}`,
      params: [crawlId, crawlId, id, size, packed(json), text?.digest ?? null, ...condition.params],
    },
  ]
}
