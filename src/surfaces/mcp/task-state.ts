import type { Ctx } from '../../kernel/ctx.ts'
import { callsFor, firstKnown, type Tool, operationsOf } from '../../kernel/tool.ts'
import type { Invoke } from '../../kernel/invoke.ts'
import { isFinished, type JobProgress } from '../../kernel/operation.ts'
import {
  type CallToolRequest,
  type CallToolResult,
  type ClientCapabilities,
  ProtocolError,
  ProtocolErrorCode,
  type ServerContext,
} from '@modelcontextprotocol/server'

/** Tools by which agents follow and cancel a job. */
export type JobTools = { status: Tool; cancel: Tool }

export type TaskStatus = 'working' | 'completed' | 'failed' | 'cancelled'
/** Fields of a task that both protocol versions with tasks have. They differ in the names of its times. */
export type TaskState = {
  taskId: string
  status: TaskStatus
  statusMessage: string
  createdAt: string
  lastUpdatedAt: string
}
export type Task = { state: TaskState; ttlMs: number | null; isOver: boolean }

/** Suggested polling interval for clients. */
const pollMs = 2000
/** Maximum wait of one call for a job, seconds. */
const longestWait = 300

type Job = JobProgress & { createdAt?: string; completedAt?: string; expiresAt?: string; error?: string }
type Reading = { status: Tool; invoke: Invoke; ctx: Ctx }

/** State of the job with that id. Fails as its operation does if the team has no such job. */
export const readTask = (id: string, reading: Reading): Promise<Task> => read(id, {}, reading)

/** Waits until the job is over; reports its progress meanwhile. */
export async function awaitTask(id: string, reading: Reading): Promise<Task> {
  for (;;) {
    const task = await read(id, { wait: longestWait }, reading)
    if (task.isOver) return task
  }
}

async function read(taskId: string, more: { wait?: number }, { status, invoke, ctx }: Reading): Promise<Task> {
  // Only the number of pages is needed, not their content.
  const calls = callsFor(status, { id: taskId, ...more }).map((call) =>
    call.operation.awaits === 'pages' ? { ...call, input: { ...call.input, limit: 1 } } : call,
  )
  const { output } = await firstKnown(invoke, calls, ctx)
  return taskOf(taskId, output as Job)
}

function taskOf(taskId: string, job: Job): Task {
  const { status, completed, total, createdAt, completedAt, expiresAt, error } = job
  const now = new Date().toISOString()
  const startedAt = createdAt ?? now
  const ttl = Date.parse(expiresAt ?? '') - Date.parse(startedAt)
  const isOver = isFinished(job)
  const known = status === 'failed' || status === 'cancelled' ? status : 'completed'
  const message = `${completed} of ${total} done${error === undefined ? '' : `: ${error}`}`
  return {
    state: {
      taskId,
      status: isOver ? known : 'working',
      statusMessage: message,
      createdAt: startedAt,
      lastUpdatedAt: completedAt ?? now,
    },
    ttlMs: Number.isFinite(ttl) ? Math.max(0, ttl) : null,
    isOver,
  }
}

/**
 * Name of the extension. In 2025-11-25, tasks are part of the protocol and the client requests them; in 2026-07-28, they
 * are an extension, and the server decides.
 */
export const tasksExtension = 'io.modelcontextprotocol/tasks'

/** True if calls of the tool may start a job. */
export const mayBeTask = (tool: Tool): boolean => operationsOf(tool).some(({ follow }) => follow !== undefined)

export const isModern = ({ mcpReq }: ServerContext): boolean => mcpReq.envelope !== undefined
export const knowsTasks = ({ extensions }: ClientCapabilities): boolean => extensions?.[tasksExtension] !== undefined

/** True if this call should return a task. Fails if one is requested for a tool without jobs. */
export function wantsTask(
  tool: Tool,
  params: CallToolRequest['params'],
  context: ServerContext,
  abilities: ClientCapabilities,
): boolean {
  if (isModern(context)) return mayBeTask(tool) && knowsTasks(abilities)
  const isPreferred = 'task' in params && params.task !== undefined
  if (isPreferred && !mayBeTask(tool))
    throw new ProtocolError(ProtocolErrorCode.MethodNotFound, `${tool.name} starts no job: call it without task`)
  return isPreferred
}

/** Response to a call that started a job. */
export function createdTask(task: Task, context: ServerContext): CallToolResult {
  // The SDK accepts only results of the current revision, which have content.
  const answer = isModern(context) ? { resultType: 'task', ...modernTask(task) } : { task: legacyTask(task) }
  return { content: [], ...answer }
}

export const legacyTask = ({ state, ttlMs }: Task) => ({ ...state, ttl: ttlMs, pollInterval: pollMs })
export const modernTask = ({ state, ttlMs }: Task) => ({ ...state, ttlMs, pollIntervalMs: pollMs })
