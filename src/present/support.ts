import type { Presentation } from '../kernel/operation.ts'

type SupportAnswer = {
  answer: string
  confidence: string
  fixParameters: object | null
  validation: { result: string; evidence: string } | null
  feedback: { attempted: readonly string[] } | null
}

/** Our own words, so they stand outside the block that marks text of pages. */
export function presentSupport(output: SupportAnswer): Presentation {
  const { answer, confidence, fixParameters, validation, feedback } = output
  const lines = [
    answer,
    `Confidence: ${confidence}.`,
    ...(fixParameters ? [`Set: ${JSON.stringify(fixParameters)}`] : []),
    ...(validation ? [`Test: ${validation.result}. ${validation.evidence}`] : []),
    ...(feedback ? ['Looked at:', ...feedback.attempted.map((each) => `- ${each}`)] : []),
  ]
  return { parts: [{ kind: 'text', text: lines.join('\n') }] }
}
