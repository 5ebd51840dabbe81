import type {
  CallToolRequest,
  CallToolResult,
  Implementation,
  InputRequiredResult,
  ReadResourceRequest,
  ReadResourceResult,
  Server,
  ServerContext,
  Tool as ListedTool,
} from '@modelcontextprotocol/server'
import type { Handling, NewCtx, Team } from '../../kernel/ctx.ts'
import type { Invoke } from '../../kernel/invoke.ts'
import type { Log } from '../../kernel/log.ts'
import type { AnyOperation } from '../../kernel/operation.ts'
import type { NextSteps, IdSource, PromptText, ToolSets } from '../../kernel/offer.ts'
import type { RefusedNote } from '../../kernel/error.ts'
import type { Tool } from '../../kernel/tool.ts'
import type { McpApp } from './apps.ts'
import type { Limits } from './content.ts'
import type { ResourceEvents } from './events.ts'
import type { ProgressTiming } from './progress.ts'
import type { LiveResource } from './resources.ts'
import type { SchemaForm } from './strict.ts'
import type { JobTools } from './tasks/state.ts'
import type { ToolChoice } from './tools.ts'

/** Who is on the other side. Over HTTP this may differ from request to request. */
export type Caller = {
  team: Team
  baseUrl: string
  handling?: Handling
  /** Names of the tools it wants to be offered, of those there are; all when absent. */
  tools?: readonly string[] | undefined
  /** How it wants their arguments described, if not as the server does. */
  schemas?: SchemaForm | undefined
}

export type McpOptions = ToolChoice & {
  tools: readonly Tool[]
  /** Those whose answers can also be read as resources. */
  operations: readonly AnyOperation[]
  invoke: Invoke
  newCtx: NewCtx
  log: Log
  /** Notes a call that was refused before it was one of an operation. */
  refused?: RefusedNote | undefined
  info: Implementation
  /** What a model is told before it chooses among the tools of these names. */
  instructions(offered: ReadonlySet<string>): string
  /** What to do next about an error whose usual hint names tools or routes. */
  nextSteps?: NextSteps | undefined
  /** How arguments are described to whoever does not choose. */
  schemas?: SchemaForm | undefined
  /** By which jobs are tasks of the protocol; without them there are no tasks. */
  jobs?: JobTools | undefined
  /** What a client can choose by one word. */
  sets?: ToolSets | undefined
  limits?: Partial<Limits> | undefined
  progress?: Partial<ProgressTiming> | undefined
  apps?: readonly McpApp[] | undefined
  /** Resources that exist right now, such as open sessions. */
  liveResources?: ((caller: Caller) => Promise<readonly LiveResource[]>) | undefined
  resourceEvents?: ResourceEvents | undefined
  /** Tasks that people start by a command of their client. */
  prompts?: readonly PromptText[] | undefined
  /** Ids to propose for an argument of such a task, or a slot of a resource, by its name. */
  ids?: Readonly<Record<string, IdSource>> | undefined
  /** Adds to each server what operations cannot say, or replaces its handlers. Runs before the server connects. */
  extend?: ((server: Server, base: Base) => void) | undefined
}

/** The handlers made from the operations, for `extend` to fall back on. */
export type Base = {
  tools(context: ServerContext): readonly ListedTool[]
  callTool(request: CallToolRequest, context: ServerContext): Promise<CallToolResult | InputRequiredResult>
  readResource(request: ReadResourceRequest, context: ServerContext): Promise<ReadResourceResult>
}
