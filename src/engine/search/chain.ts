import type { Ports } from '../../contracts/ports.ts'
import type { Found, SearchHit, SearchProvider, SearchRequest } from '../../contracts/search.ts'
import type { Answers } from './answers.ts'
import { type Answer, askFor, type Asking, askProvider, leftMs } from './ask-provider.ts'
import type { Breaker } from './breaker.ts'
import { canonicalResult, fuse, type Ranked } from './query/fuse.ts'
import { keeps } from './query/post-filter.ts'
import { unhonoured } from './query/to-text.ts'

export type Chain = {
  /** In the order they are asked. */
  providers: readonly SearchProvider[]
  /** What is asked beside them, always. */
  local: SearchProvider
  breaker: Breaker
  answers: Answers
}
type List = Ranked & { provider: SearchProvider }

/** Where nobody else has an answer of today, what we know ourselves counts in full. */
const loneWeight = 1

/**
 * Asks one provider after the other until there are enough results, and what we know ourselves at the same time. A
 * failure is told and the next one asked; where nothing comes of that, an answer of earlier serves.
 */
export async function searchChain(
  { clock }: Pick<Ports, 'clock'>,
  chain: Chain,
  request: SearchRequest,
): Promise<Found> {
  const asking = { ...chain, clock }
  const asked = inTurn(chain.providers, request)
  const [told, known] = await Promise.all([askInTurn(asking, asked, request), askLocal(asking, request)])
  const answered = told.flatMap((answer) => ('hits' in answer ? [listOf(answer.provider, answer.hits)] : []))
  const failed = told.flatMap((answer) => ('why' in answer ? [answer] : []))
  const isBare = failed.length > 0 && merged(answered, request, clock.now()).length === 0
  const stale = isBare ? staleLists(chain.answers, failed, request) : []
  const weight = answered.length === 0 ? loneWeight : chain.local.weight
  const theirs = [...answered, ...stale]
  const lists = [...theirs, ...('hits' in known ? [{ ...known, hits: ours(known.hits, theirs, request), weight }] : [])]
  const hits = merged(lists, request, clock.now())
  return {
    hits,
    notes: [
      ...failed.map(({ why }) => why),
      ...(stale.length > 0 ? ['Results of the last 24 hours are shown instead.'] : []),
      ...(asked.length === 0 ? [nobody(request)] : []),
      ...('why' in known ? [known.why] : []),
      ...unhonoured(
        request,
        lists.map(({ provider }) => provider),
      ),
    ],
    isBlind: hits.length === 0 && (asked.length === 0 ? request.source !== 'web' : outweighed(told, request)),
  }
}

async function askInTurn(asking: Asking, providers: readonly SearchProvider[], request: SearchRequest) {
  const told: Answer[] = []
  for (const provider of providers) {
    told.push(await askProvider(asking, provider, request))
    const lists = told.flatMap((answer) => ('hits' in answer ? [listOf(answer.provider, answer.hits)] : []))
    if (merged(lists, request, asking.clock.now()).length >= request.limit) break
  }
  return told
}

/** Those that can answer; of a category first those that are made for it. */
function inTurn(providers: readonly SearchProvider[], { source, category }: SearchRequest): SearchProvider[] {
  const able = providers.filter(
    ({ sources, categories }) =>
      sources.has(source) && (categories === undefined || (category !== undefined && categories.has(category))),
  )
  return able.toSorted((a, b) => Number(b.categories !== undefined) - Number(a.categories !== undefined))
}

/** Never from an earlier answer: a page that was just read is to be found at once. */
async function askLocal({ local, clock }: Asking & Chain, request: SearchRequest): Promise<Answer> {
  if (!local.sources.has(request.source)) return { provider: local, hits: [] }
  try {
    return { provider: local, hits: await askFor(leftMs(request, clock.now()), local, request) }
  } catch {
    request.signal.throwIfAborted()
    return { provider: local, why: 'Pages that were read before could not be searched.' }
  }
}

/** What we found ourselves; without passages where the caller wants descriptions as providers gave them. */
function ours(hits: readonly SearchHit[], theirs: readonly List[], { passages }: SearchRequest): readonly SearchHit[] {
  if (passages !== 'none') return hits
  const known = new Set(theirs.flatMap((list) => list.hits.map(({ url }) => canonicalResult(url))))
  return hits.map((hit) => {
    const { description: _, ...bare } = hit
    return known.has(canonicalResult(hit.url)) ? bare : hit
  })
}

const listOf = (provider: SearchProvider, hits: readonly SearchHit[]): List => ({
  provider,
  hits,
  weight: provider.weight,
})

const merged = (lists: readonly Ranked[], request: SearchRequest, now: number): SearchHit[] =>
  fuse(lists, request.period?.sort ?? 'relevance')
    .filter((hit) => keeps(request, hit, now))
    .slice(0, request.limit)

function staleLists(answers: Answers, failed: readonly Answer[], request: SearchRequest): List[] {
  return failed.flatMap(({ provider }) => {
    const hits = answers.stale(provider, request)
    return hits && hits.length > 0 ? [listOf(provider, hits)] : []
  })
}

/** That a lesser provider found nothing says little where a weightier one failed. */
function outweighed(told: readonly Answer[], { category }: SearchRequest): boolean {
  const weightOf = ({ provider }: Answer) => (category && provider.categories?.has(category) ? 1 : provider.weight)
  const most = (answers: readonly Answer[]) => Math.max(-Infinity, ...answers.map(weightOf))
  return most(told.filter((answer) => 'why' in answer)) > most(told.filter((answer) => 'hits' in answer))
}

const nobody = ({ source }: SearchRequest): string =>
  source === 'web'
    ? 'No search provider is set up, so that only pages that were read before were searched.'
    : `No search provider that is set up can search for ${source}.`
