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
import type { McpApp } from './live-browser.ts'
import type { Limits } from './content.ts'
import type { ResourceEvents, LiveResource } from './resources.ts'
import type { SchemaForm } from './tool-schema.ts'
import type { JobTools } from './task-state.ts'
import type { ToolChoice } from './tools.ts'

type ProgressTiming = {
  /** Maximum time between progress messages. Clients usually time out after 60 s without one. */
  heartbeatMs: number
  /** Minimum time between messages. Of those that come sooner, only the newest is sent, when the time is over. */
  gapMs: number
}
export const progressTiming: ProgressTiming = { heartbeatMs: 9_000, gapMs: 250 }

export type ProgressNote = { progress: number; total?: number; message?: string }

/** Minimum growth from message to message: the protocol requires that progress grows with each. */
const step = 0.001

/**
 * Forwards the progress of one call at bounded intervals, with strictly growing numbers. Sends nothing after `stop`.
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

/** The client of a server. Over HTTP, each request may have another one. */
export type Caller = {
  team: Team
  baseUrl: string
  handling?: Handling
  /** Names of the tools that it requests; default: all. */
  tools?: readonly string[] | undefined
  /** Form of argument schemas that it requests; default: that of the server. */
  schemas?: SchemaForm | undefined
}

export type McpOptions = ToolChoice & {
  tools: readonly Tool[]
  /** Operations whose responses can also be read as resources. */
  operations: readonly AnyOperation[]
  invoke: Invoke
  newCtx: NewCtx
  log: Log
  /** Records a call that was refused before it reached an operation. */
  refused?: RefusedNote | undefined
  info: Implementation
  /** Instructions for the model, given the names of the offered tools. */
  instructions(offered: ReadonlySet<string>): string
  /** Next steps for errors whose usual hint names tools or routes. */
  nextSteps?: NextSteps | undefined
  /** Default form of argument schemas. */
  schemas?: SchemaForm | undefined
  /** Tools by which jobs become tasks of the protocol; absent: no tasks. */
  jobs?: JobTools | undefined
  /** Sets of tools that a client can select by name. */
  sets?: ToolSets | undefined
  limits?: Partial<Limits> | undefined
  /** Calls `run` within the trace that the headers name, if any. */
  continued?: (<T>(headers: Headers, run: () => T) => T) | undefined
  progress?: Partial<ProgressTiming> | undefined
  apps?: readonly McpApp[] | undefined
  /** Resources that currently exist, such as open sessions. */
  liveResources?: ((caller: Caller) => Promise<readonly LiveResource[]>) | undefined
  resourceEvents?: ResourceEvents | undefined
  /** Tasks that people start by a command of their client. */
  prompts?: readonly PromptText[] | undefined
  /** Sources of completions for arguments of prompts and slots of resources, by name. */
  ids?: Readonly<Record<string, IdSource>> | undefined
  /** Adds or replaces handlers of each server. Runs before the server connects. */
  extend?: ((server: Server, base: Base) => void) | undefined
}

/** The default handlers, as a fallback for `extend`. */
export type Base = {
  tools(context: ServerContext): readonly ListedTool[]
  callTool(request: CallToolRequest, context: ServerContext): Promise<CallToolResult | InputRequiredResult>
  readResource(request: ReadResourceRequest, context: ServerContext): Promise<ReadResourceResult>
}
