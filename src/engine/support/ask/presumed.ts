import { tellingOf } from './about.ts'
import { type Diagnosis, isTrouble, type JobCase, type Presumption } from './case.ts'
import type { Question } from './question.ts'
import { broughtBy, presumptions } from './rules/presumed.ts'

type Disproved = { rule: string; score: number; diagnosis: Diagnosis; job: JobCase }

/** The records are sure of it: above whatever may be read into the words. */
const sure = 8

/** What people call the whole of what came back. */
const wholes =
  /\b(?:results?|answers?|responses?|markdown|contents?|text|data|jobs?|run|call|requests?|last|recent|previous|just|now|again|outputs?|maps?|extracts?|sites?|websites?|urls?|get|gets|got|came|comes?|returned|returns?|gives?|gave|shows?|brought)\b/gi
/** Of a part of the page, or of one among many, the figures of the whole say nothing. */
const inPart = /\b(?:almost|nearly|half|partly|mostly|some|part|parts|sometimes|often|which)\b|\?.*\w/i
const kinds: Readonly<Record<string, RegExp>> = {
  crawl: /\bcrawl/i,
  batch_scrape: /\bbatch/i,
  search: /\bsearch/i,
  map: /\bmap/i,
  extract: /\bextract/i,
  scrape: /\bscrap/i,
}

/** That what the question takes for granted is not so, where no job of the last day shows it and the one that is meant shows otherwise. */
export function disproved(question: Question, jobs: readonly JobCase[]): Disproved | undefined {
  const presumption = presumptions.find((each) => isOfAll(each, question.words))
  if (!presumption || question.codes.length > 0) return undefined
  const meant = meantBy(question, jobs)
  const [job] = meant
  const isNot = job && presumption.disproves(job)
  if (!job || isNot === undefined) return undefined
  // Another one that does show it is the one that is meant.
  const showsIt = (each: JobCase) =>
    isTrouble(each) || (each.endpoint === job.endpoint && presumption.disproves(each) === undefined)
  if (meant.some(showsIt)) return undefined
  const isNamed = question.namesId(job.id)
  const name = `${isNamed ? 'The' : 'The last'} ${job.endpoint.replace('_', ' ')}${job.url === null ? '' : ` of ${job.url}`}`
  const at = new Date(job.createdAt).toISOString().slice(11, 16)
  return {
    rule: presumption.id,
    score: sure,
    diagnosis: {
      says: `${name}, at ${at} UTC, ${isNot}: ${broughtBy(job)}. If you mean another one, ask again with its jobId, which activity lists; if you mean a part of it, say which.`,
    },
    job,
  }
}

function isOfAll({ asks }: Presumption, words: string): boolean {
  if (words.search(asks) < 0 || inPart.test(words)) return false
  const rest = [...presumptions.map((each) => each.asks), wholes].reduce(
    (text, said) => text.replaceAll(said, ' '),
    words,
  )
  return tellingOf(rest) === ''
}

/** The jobs that a question may be about, the newest first. */
function meantBy({ namesId, namesUrl, words }: Question, jobs: readonly JobCase[]): JobCase[] {
  const newest = jobs.toSorted((one, other) => other.createdAt - one.createdAt)
  const named = newest.filter(({ id }) => namesId(id))
  if (named.length > 0) return named
  const ofUrl = newest.filter(({ url }) => url !== null && namesUrl(url))
  if (ofUrl.length > 0) return ofUrl
  const kind = Object.keys(kinds).find((each) => kinds[each]?.test(words))
  return kind === undefined ? newest : newest.filter(({ endpoint }) => endpoint === kind)
}
