import {
  type CallToolRequest,
  type CallToolResult,
  type ClientCapabilities,
  ProtocolError,
  ProtocolErrorCode,
  type ServerContext,
} from '@modelcontextprotocol/server'
import { operationsOf, type Tool } from '../../../kernel/tool.ts'
import { pollMs, type Task } from './state.ts'

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
