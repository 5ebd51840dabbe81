import type { Server, ServerContext } from '@modelcontextprotocol/server'
import { complete } from './completion.ts'
import type { McpOptions } from '../options.ts'
import { getPrompt, listedPrompt, promptsFor } from './texts.ts'
import type { McpResource } from '../resources.ts'
import type { Request } from '../transport/channel.ts'

type Around = {
  offered: ReadonlySet<string>
  resources(): readonly McpResource[]
  from(context: ServerContext): Request
}

/** Prompts of the tools that are offered, and proposals for what they take. */
export function servePrompts(server: Server, options: McpOptions, { offered, resources, from }: Around): void {
  const prompts = promptsFor(options.prompts ?? [], offered)
  server.setRequestHandler('prompts/list', () => ({ prompts: prompts.map(listedPrompt) }))
  server.setRequestHandler('prompts/get', ({ params }) => getPrompt(prompts, offered, params))
  server.setRequestHandler('completion/complete', ({ params }, context) =>
    complete(options, { prompts, resources: resources() }, params, from(context)),
  )
}
