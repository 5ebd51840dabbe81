import {
  type Server,
  type ServerContext,
  type CompleteRequest,
  type CompleteResult,
  ProtocolError,
  ProtocolErrorCode,
  type GetPromptRequest,
  type GetPromptResult,
  type Prompt,
} from '@modelcontextprotocol/server'
import type { McpOptions } from './server-options.ts'
import type { McpResource } from './resources.ts'
import { type Request, directChannel } from './transport/client-channel.ts'
import { type IdSource, type PromptText, filledIn, toolWords } from '../../kernel/offer.ts'
import { callCtx, known } from './call-tool.ts'
import { didYouMean } from '../../util/words.ts'

/** Prompts whose tools are all offered. */
export const promptsFor = (prompts: readonly PromptText[], offered: ReadonlySet<string>): PromptText[] =>
  prompts.filter(({ needs }) => needs.every((tool) => offered.has(tool)))

const listedPrompt = ({ name, title, description, arguments: fields }: PromptText): Prompt => ({
  name,
  title,
  description,
  arguments: fields.map((field) => ({ ...field, required: field.required ?? false })),
})

/** The text of a prompt, in sentences that name only offered tools. */
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

/** Throws the protocol's error if there is no such prompt. */
function promptNamed(prompts: readonly PromptText[], sent: string): PromptText {
  const prompt = prompts.find(({ name }) => name === sent)
  if (prompt) return prompt
  const name = sent.slice(0, maxNameLength)
  const names = prompts.map((each) => each.name)
  throw invalid(`Unknown prompt: ${name}.${didYouMean(name, names) || ` The prompts are: ${names.join(', ')}.`}`)
}

const invalid = (message: string) => new ProtocolError(ProtocolErrorCode.InvalidParams, message)

/** Maximum number of completions that the protocol allows in one response. */
const maxValues = 100

type Known = { prompts: readonly PromptText[]; resources: readonly McpResource[] }

/** Ids of the caller's own jobs and sessions for an argument of a prompt or a slot of a resource. */
async function complete(
  options: McpOptions,
  { prompts, resources }: Known,
  { ref, argument: { name, value } }: CompleteRequest['params'],
  request: Request,
): Promise<CompleteResult> {
  const names =
    ref.type === 'ref/prompt'
      ? promptNamed(prompts, ref.name).arguments.map((field) => field.name)
      : slotsOf(resources, ref.uri)
  const source = names.includes(name) ? options.ids?.[name] : undefined
  const ids = source ? await idsOf(options, source, request) : []
  const fitting = ids.filter((id) => id.startsWith(value.trim().toLowerCase()))
  const values = fitting.slice(0, maxValues)
  return { completion: { values, total: fitting.length, hasMore: fitting.length > values.length } }
}

function slotsOf(resources: readonly McpResource[], uri: string): string[] {
  if (!resources.some(({ template }) => template.uriTemplate === uri))
    throw new ProtocolError(ProtocolErrorCode.InvalidParams, 'There is no resource template with this URI.')
  return [...uri.matchAll(/\{(\w+)\}/g)].map(([, slot = '']) => slot)
}

/** Completions are optional: errors give an empty list. */
async function idsOf(options: McpOptions, source: IdSource, request: Request): Promise<readonly string[]> {
  const ctx = callCtx(options, request, directChannel(request))
  try {
    return source.idsIn(await options.invoke(source.operation, source.input, ctx))
  } catch (thrown) {
    known(thrown, source.operation, ctx)
    return []
  } finally {
    ctx.stop()
  }
}

type Around = {
  offered: ReadonlySet<string>
  resources(): readonly McpResource[]
  from(context: ServerContext): Request
}

/** Serves the prompts of the offered tools, and completions for their arguments. */
export function servePrompts(server: Server, options: McpOptions, { offered, resources, from }: Around): void {
  const prompts = promptsFor(options.prompts ?? [], offered)
  server.setRequestHandler('prompts/list', () => ({ prompts: prompts.map(listedPrompt) }))
  server.setRequestHandler('prompts/get', ({ params }) => getPrompt(prompts, offered, params))
  server.setRequestHandler('completion/complete', ({ params }, context) =>
    complete(options, { prompts, resources: resources() }, params, from(context)),
  )
}
