import { rarity, tally } from '../../../../util/rank.ts'
import { stopWords } from '../../../../util/words.ts'
import { text } from '../db/columns.ts'
import { type Reader, reachOf, spreadOf } from './find.ts'
import { indexedText, textsOf } from './index-text.ts'
import type { Likeness } from './match.ts'
import { placeOf } from './place.ts'
import { teamToken } from './tokens.ts'
import { inText, type Phrase, phrase } from './wanted.ts'

const maxRead = 20_000
const candidates = 32
const mostTerms = 12
const countedTo = 2000
const titleWeight = 3

/** What pages like one hold: its 12 words of highest tf·idf. Undefined when the team has not read the page, or it says nothing. */
export async function likenessOf(reader: Reader, teamId: string, url: string): Promise<Likeness | undefined> {
  const place = placeOf(/^[a-z]+:\/\//i.test(url) ? url : `https://${url}`)
  const [row] = place
    ? await reader.db.all(
        `SELECT page_id, url, title, description FROM page_entry WHERE team_id = ? AND host_key = ? AND path = ?
          ORDER BY fetched_at DESC LIMIT 1`,
        [teamId, place.hostKey, place.path],
      )
    : []
  if (!row) return undefined
  const pageId = Number(row.page_id)
  const body = (await textsOf(reader.db, [pageId])).get(pageId) ?? ''
  const about = `${`${text(row.title)} `.repeat(titleWeight)}${text(row.description)} ${body.slice(0, maxRead)}`
  const terms = await tellingTerms(reader, teamId, about)
  return terms.length === 0 ? undefined : { url: text(row.url), wanted: { any: terms } }
}

async function tellingTerms(reader: Reader, teamId: string, about: string): Promise<Phrase[]> {
  const words = commonest(indexedText(about)).flatMap(({ word, count }) =>
    phrase(inText, word).map((wanted) => ({ wanted, count })),
  )
  const isShared = (await reachOf(reader.db, teamId)) === 'many teams'
  const own = isShared ? phrase(['scope'], teamToken(teamId)) : []
  const spread = await spreadOf(
    reader,
    words.map(({ wanted }) => ({ all: [...own, wanted] })),
    countedTo,
  )
  const [counted] = await reader.db.all('SELECT COUNT(*) AS pages FROM page_entry WHERE team_id = ?', [teamId])
  const pages = Number(counted?.pages ?? 0)
  return words
    .map(({ wanted, count }, at) => ({ wanted, score: count * rarity(spread[at] ?? 0, pages), at }))
    .filter(({ at }) => (spread[at] ?? 0) > 1)
    .toSorted((one, other) => other.score - one.score)
    .slice(0, mostTerms)
    .map(({ wanted }) => wanted)
}

function commonest(content: string): { word: string; count: number }[] {
  const words = content.toLowerCase().match(/[\p{L}\p{N}\p{M}]{2,40}/gu) ?? []
  const { counts } = tally([[words.filter((word) => !stopWords.has(word) && !/^\p{N}+$/u.test(word)), 1]])
  return Array.from(counts, ([word, count]) => ({ word, count }))
    .toSorted((one, other) => other.count - one.count)
    .slice(0, candidates)
}
