import type { Presentation } from '../kernel/operation.ts'

type DocsAnswer = { answer: string; evidence: readonly { pathOrUrl: string; reason: string }[]; warning?: string }

/** Our own words, so they stand outside the block that marks text of pages. */
export function presentDocsAnswer({ answer, evidence, warning }: DocsAnswer): Presentation {
  const places = evidence.map(({ pathOrUrl, reason }) => `- ${pathOrUrl} (${reason})`)
  const text = [answer, ...(places.length > 0 ? ['', 'Where it stands:', ...places] : [])]
  return { parts: [{ kind: 'text', text: [...text, ...(warning ? ['', `Warning: ${warning}`] : [])].join('\n') }] }
}
