import type { Ports } from '../../../contracts/ports.ts'
import type { Ctx } from '../../../kernel/ctx.ts'
import { isRecord } from '../../../util/json.ts'
import type { Finding } from './match.ts'

type Chosen = { findings: readonly Finding[]; reword: (says: string) => string }

const shown = 6
const timeoutMs = 15_000
const system =
  'You help users of a web scraping service. You get a question and numbered findings about their jobs. Choose the findings that answer the question, the best first, and word the best one anew for this question in two or three sentences. Say nothing that the finding does not say.'
const schema = {
  type: 'object',
  properties: {
    order: { type: 'array', items: { type: 'integer' }, description: 'Numbers of findings, the best first.' },
    wording: {
      type: 'string',
      description: 'The first of them in two or three sentences, with its exact names and figures.',
    },
  },
  required: ['order', 'wording'],
  additionalProperties: false,
}

/**
 * A language model, where one is set, orders the findings and words the first. It gets our own sentences only, never text
 * of pages, and what it says beyond them is dropped: then the findings stand as they are.
 */
export async function chooseByModel(
  findings: readonly Finding[],
  question: string,
  { ports, team, signal }: Pick<Ctx, 'team' | 'signal'> & { ports: Pick<Ports, 'model'> },
): Promise<Chosen> {
  const asFound: Chosen = { findings, reword: (says) => says }
  if (findings.length === 0 || !ports.model.isSet()) return asFound
  const offered = findings.slice(0, shown)
  const lines = offered.map(({ diagnosis }, at) => `[${at + 1}] ${diagnosis.says}`)
  try {
    const { value } = await ports.model.object({
      task: 'support',
      effort: 'fast',
      maxOutputTokens: 800,
      timeoutMs,
      system,
      input: [{ role: 'user', text: `${lines.join('\n')}\n\nQuestion: ${question}` }],
      schema,
      teamId: team.id,
      keyName: team.key,
      signal,
    })
    return chosen(offered, value) ?? asFound
  } catch {
    signal.throwIfAborted()
    return asFound
  }
}

function chosen(offered: readonly Finding[], value: unknown): Chosen | undefined {
  const { order, wording } = isRecord(value) ? value : {}
  if (!Array.isArray(order)) return undefined
  const named = [...new Set(order)].flatMap((number) => offered[Number(number) - 1] ?? [])
  const [first] = named
  if (!first || typeof wording !== 'string') return undefined
  const { says } = first.diagnosis
  const rest = offered.filter((finding) => !named.includes(finding))
  return {
    findings: [...named, ...rest],
    reword: (text) => (text === says && isFaithful(wording, says) ? wording.trim() : text),
  }
}

/** Figures, addresses, codes and names of fields. */
const statedFacts = /https?:\/\/\S+|\b\w*\d\w*\b|\b[A-Z]+(?:_[A-Z]+)+\b|\b[a-z]+(?:[A-Z][a-z]*)+\b|\b[a-z]+_[a-z_]+\b/g
const bare = (text: string) => text.replace(/[.,;:!?)\]}'"]+$/, '')

/** Whether a wording has no facts but those of the text it words, and is as short as an answer may be. */
function isFaithful(wording: string, says: string): boolean {
  const sentences = wording.trim().split(/(?<=[.!?])\s+/).length
  const known = new Set([...says.matchAll(statedFacts)].map(([fact]) => bare(fact)))
  return (
    wording.trim() !== '' &&
    sentences <= 3 &&
    [...wording.matchAll(statedFacts)].every(([fact]) => known.has(bare(fact)))
  )
}
