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
import type { Handling, NewCtx, Team, Progress } from '../../kernel/ctx.ts'
import type { Invoke } from '../../kernel/invoke.ts'
import type { Log } from '../../kernel/log.ts'
import type { AnyOperation } from '../../kernel/operation.ts'
import type { NextSteps, IdSource, PromptText, ToolSets } from '../../kernel/offer.ts'
import type { RefusedNote } from '../../kernel/error.ts'
import type { Tool } from '../../kernel/tool.ts'
import type { McpApp } from './apps.ts'
import type { Limits } from './content.ts'
import type { ResourceEvents, LiveResource } from './resources.ts'
import type { SchemaForm } from './tool-schema.ts'
import type { JobTools } from './task-state.ts'
import type { ToolChoice } from './tools.ts'

type ProgressTiming = {
  /** A sign of life at least this often, so that clients do not give up; their usual limit is 60 s. */
  heartbeatMs: number
  /** No two notes closer than this; the newest one waits. */
  gapMs: number
}
export const progressTiming: ProgressTiming = { heartbeatMs: 9_000, gapMs: 250 }

export type ProgressNote = { progress: number; total?: number; message?: string }

/** Progress must grow with every note; one without news grows by this. */
const step = 0.001

/**
 * Forwards the progress of one call, not too often and never too seldom, with strictly growing numbers.
 * After `stop` nothing is sent any more.
 */
export function startProgress(
  send: (note: ProgressNote) => void,
  timing: ProgressTiming = progressTiming,
): { progress: Progress; stop(): void } {
  let latest: ProgressNote = { progress: 0, message: 'Working' }
  let sent = -step
  let sentAt = -Infinity
  let timer: NodeJS.Timeout | undefined

  const wait = (ms: number) => {
    clearTimeout(timer)
    timer = setTimeout(sendLatest, ms)
    timer.unref()
  }
  const sendLatest = () => {
    sent = Math.max(latest.progress, sent + step)
    sentAt = performance.now()
    send({ ...latest, progress: sent })
    wait(timing.heartbeatMs)
  }
  wait(timing.heartbeatMs)
  let isStopped = false
  return {
    progress: (done, total, message) => {
      if (isStopped) return
      latest = { progress: done, ...(total !== undefined && { total }), ...(message !== '' && { message }) }
      const left = sentAt + timing.gapMs - performance.now()
      if (left > 0) wait(left)
      else sendLatest()
    },
    stop: () => {
      isStopped = true
      clearTimeout(timer)
    },
  }
}

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
