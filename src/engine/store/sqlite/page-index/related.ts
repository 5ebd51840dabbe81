import { text } from '../db/columns.ts'
import type { Db } from '../db/db.ts'
import { reachOf, spreadOf } from './find.ts'
import { indexedText, textsOf } from './index-text.ts'
import { type Likeness, phrase } from './match.ts'
import { placeOf } from './place.ts'
import { stopWords } from './stop-words.ts'
import { teamToken } from './tokens.ts'

const maxRead = 20_000
const candidates = 32
const wanted = 12
const countedTo = 2000
const titleWeight = 3

/** What pages like one hold: its 12 words of highest tf·idf. Undefined when the team has not read the page, or it says nothing. */
export async function likenessOf(db: Db, teamId: string, url: string): Promise<Likeness | undefined> {
  const place = placeOf(/^[a-z]+:\/\//i.test(url) ? url : `https://${url}`)
  const [row] = place
    ? await db.all(
        `SELECT page_id, url, title, description FROM page_entry WHERE team_id = ? AND host_key = ? AND path = ?
          ORDER BY fetched_at DESC LIMIT 1`,
        [teamId, place.hostKey, place.path],
      )
    : []
  if (!row) return undefined
  const pageId = Number(row.page_id)
  const body = (await textsOf(db, [pageId])).get(pageId) ?? ''
  const about = `${`${text(row.title)} `.repeat(titleWeight)}${text(row.description)} ${body.slice(0, maxRead)}`
  const terms = await tellingTerms(db, teamId, about)
  return terms.length === 0 ? undefined : { url: text(row.url), expression: `(${terms.join(' OR ')})` }
}

async function tellingTerms(db: Db, teamId: string, about: string): Promise<string[]> {
  const words = commonest(indexedText(about))
  const expressions = words.map(({ word }) => phrase('{title body}', word)[0] ?? '')
  const isShared = (await reachOf(db, teamId)) === 'many teams'
  const spread = await spreadOf(
    db,
    expressions.map((each) => (isShared ? `scope : "${teamToken(teamId)}" AND ${each}` : each)),
    countedTo,
  )
  const [counted] = await db.all('SELECT COUNT(*) AS pages FROM page_entry WHERE team_id = ?', [teamId])
  const pages = Number(counted?.pages ?? 0)
  return expressions
    .map((expression, at) => ({ expression, score: (words[at]?.count ?? 0) * rarity(spread[at] ?? 0, pages), at }))
    .filter(({ at }) => (spread[at] ?? 0) > 1)
    .toSorted((one, other) => other.score - one.score)
    .slice(0, wanted)
    .map(({ expression }) => expression)
}

const rarity = (spread: number, pages: number) => Math.log(1 + (pages - spread + 0.5) / (spread + 0.5))

function commonest(content: string): { word: string; count: number }[] {
  const counts = new Map<string, number>()
  for (const [word] of content.toLowerCase().matchAll(/[\p{L}\p{N}\p{M}]{2,40}/gu))
    if (!stopWords.has(word) && !/^\p{N}+$/u.test(word)) counts.set(word, (counts.get(word) ?? 0) + 1)
  return [...counts]
    .map(([word, count]) => ({ word, count }))
    .toSorted((one, other) => other.count - one.count)
    .slice(0, candidates)
}
