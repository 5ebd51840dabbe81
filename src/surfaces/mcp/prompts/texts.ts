import {
  type GetPromptRequest,
  type GetPromptResult,
  type Prompt,
  ProtocolError,
  ProtocolErrorCode,
} from '@modelcontextprotocol/server'
import { filledIn, toolWords, type PromptText } from '../../../kernel/offer.ts'
import { didYouMean } from '../../../util/closest.ts'

/** Those whose tools are all offered. */
export const promptsFor = (prompts: readonly PromptText[], offered: ReadonlySet<string>): PromptText[] =>
  prompts.filter(({ needs }) => needs.every((tool) => offered.has(tool)))

export const listedPrompt = ({ name, title, description, arguments: fields }: PromptText): Prompt => ({
  name,
  title,
  description,
  arguments: fields.map((field) => ({ ...field, required: field.required ?? false })),
})

/** The task in words that name only tools that are offered. */
export function getPrompt(
  prompts: readonly PromptText[],
  offered: ReadonlySet<string>,
  { name, arguments: sent = {} }: GetPromptRequest['params'],
): GetPromptResult {
  const { description, arguments: fields, steps } = promptNamed(prompts, name)
  const given = fields.flatMap((field) => {
    const value = Object.hasOwn(sent, field.name) ? (sent[field.name] ?? '').trim() : ''
    return value === '' ? [] : [[field.name, value] as const]
  })
  const missing = fields.find((field) => field.required && !given.some(([argument]) => argument === field.name))
  if (missing) throw invalid(`The prompt ${name} needs the argument ${missing.name}: ${missing.description}`)
  const words = new Map([...toolWords(offered), ...given])
  const lines = steps.flatMap(
    (ways) =>
      [ways]
        .flat()
        .map((way) => filledIn(way, words))
        .find(Boolean) ?? [],
  )
  return { description, messages: [{ role: 'user', content: { type: 'text', text: lines.join('\n') } }] }
}

const maxNameLength = 100

/** Fails with the protocol's error where there is none. */
export function promptNamed(prompts: readonly PromptText[], sent: string): PromptText {
  const found = prompts.find(({ name }) => name === sent)
  if (found) return found
  const name = sent.slice(0, maxNameLength)
  const names = prompts.map((prompt) => prompt.name)
  throw invalid(`Unknown prompt: ${name}.${didYouMean(name, names) || ` The prompts are: ${names.join(', ')}.`}`)
}

const invalid = (message: string) => new ProtocolError(ProtocolErrorCode.InvalidParams, message)
