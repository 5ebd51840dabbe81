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

/** The tools by which agents go on with a job; a task of the protocol is the job that they speak of, under its id. */
export type JobTools = { status: Tool; cancel: Tool }

export type TaskStatus = 'working' | 'completed' | 'failed' | 'cancelled'
/** A task as both forms of the protocol have it; they differ in the names of its times. */
export type TaskState = {
  taskId: string
  status: TaskStatus
  statusMessage: string
  createdAt: string
  lastUpdatedAt: string
}
export type Task = { state: TaskState; ttlMs: number | null; isOver: boolean }

/** How often a client should ask. */
const pollMs = 2000
/** The longest wait of one call for a job. */
const longestWait = 300

type Job = JobProgress & { createdAt?: string; completedAt?: string; expiresAt?: string; error?: string }
type Reading = { status: Tool; invoke: Invoke; ctx: Ctx }

/** How far the job of that id is. Fails as its operation does, where the team has none. */
export const readTask = (id: string, reading: Reading): Promise<Task> => read(id, {}, reading)

/** The same once it is over; tells its progress meanwhile. */
export async function awaitTask(id: string, reading: Reading): Promise<Task> {
  for (;;) {
    const task = await read(id, { wait: longestWait }, reading)
    if (task.isOver) return task
  }
}

async function read(taskId: string, more: { wait?: number }, { status, invoke, ctx }: Reading): Promise<Task> {
  // Of its pages only the number is wanted.
  const calls = callsFor(status, { id: taskId, ...more }).map((call) =>
    call.operation.awaits === 'pages' ? { ...call, input: { ...call.input, limit: 1 } } : call,
  )
  const { output } = await firstKnown(invoke, calls, ctx)
  return taskOf(taskId, output as Job)
}

function taskOf(taskId: string, job: Job): Task {
  const { status, completed, total, createdAt, completedAt, expiresAt, error } = job
  const now = new Date().toISOString()
  const begun = createdAt ?? now
  const ttl = Date.parse(expiresAt ?? '') - Date.parse(begun)
  const isOver = isFinished(job)
  const known = status === 'failed' || status === 'cancelled' ? status : 'completed'
  const message = `${completed} of ${total} done${error === undefined ? '' : `: ${error}`}`
  return {
    state: {
      taskId,
      status: isOver ? known : 'working',
      statusMessage: message,
      createdAt: begun,
      lastUpdatedAt: completedAt ?? now,
    },
    ttlMs: Number.isFinite(ttl) ? Math.max(0, ttl) : null,
    isOver,
  }
}

/** Tasks were part of the protocol in 2025-11-25, at the wish of the client; since 2026-07-28 they are an extension, and the server decides. */
export const tasksExtension = 'io.modelcontextprotocol/tasks'
export const relatedTask = 'io.modelcontextprotocol/related-task'

/** Whether calls of it may begin a job. */
export const mayBeTask = (tool: Tool): boolean => operationsOf(tool).some(({ follow }) => follow !== undefined)

export const isModern = ({ mcpReq }: ServerContext): boolean => mcpReq.envelope !== undefined
export const knowsTasks = ({ extensions }: ClientCapabilities): boolean => extensions?.[tasksExtension] !== undefined

/** Whether this call is to be answered with a task. Fails where one is wished for that cannot be. */
export function wantsTask(
  tool: Tool,
  params: CallToolRequest['params'],
  context: ServerContext,
  abilities: ClientCapabilities,
): boolean {
  if (isModern(context)) return mayBeTask(tool) && knowsTasks(abilities)
  const isWished = 'task' in params && params.task !== undefined
  if (isWished && !mayBeTask(tool))
    throw new ProtocolError(ProtocolErrorCode.MethodNotFound, `${tool.name} begins no job: call it without task`)
  return isWished
}

/** The answer to a call that began a job. */
export function createdTask(task: Task, context: ServerContext): CallToolResult {
  // The SDK knows no answers but those of the revision that is current, which have content.
  const answer = isModern(context) ? { resultType: 'task', ...modernTask(task) } : { task: legacyTask(task) }
  return { content: [], ...answer }
}

export const legacyTask = ({ state, ttlMs }: Task) => ({ ...state, ttl: ttlMs, pollInterval: pollMs })
export const modernTask = ({ state, ttlMs }: Task) => ({ ...state, ttlMs, pollIntervalMs: pollMs })
