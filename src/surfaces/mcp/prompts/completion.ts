import {
  type CompleteRequest,
  type CompleteResult,
  ProtocolError,
  ProtocolErrorCode,
} from '@modelcontextprotocol/server'
import type { IdSource, PromptText } from '../../../kernel/offer.ts'
import { callCtx, known } from '../ctx.ts'
import type { McpOptions } from '../options.ts'
import { promptNamed } from './texts.ts'
import type { McpResource } from '../resources.ts'
import { directChannel, type Request } from '../transport/channel.ts'

/** As many as the protocol lets an answer hold. */
const maxValues = 100

type Known = { prompts: readonly PromptText[]; resources: readonly McpResource[] }

/** Ids of the caller's own jobs and sessions for an argument of a prompt, or a slot of a resource, that takes one. */
export async function complete(
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
  const found = resources.find(({ template }) => template.uriTemplate === uri)
  if (!found) throw new ProtocolError(ProtocolErrorCode.InvalidParams, 'There is no resource template of this address.')
  return [...uri.matchAll(/\{(\w+)\}/g)].map(([, slot = '']) => slot)
}

/** Proposals are a help: where there can be none, there are none. */
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
