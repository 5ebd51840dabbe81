import {
  MissingRequiredClientCapabilityError,
  ProtocolError,
  ProtocolErrorCode,
  type Server,
  type ServerContext,
} from '@modelcontextprotocol/server'
import { z } from 'zod'
import { callsFor, firstKnown } from '../../kernel/tool.ts'
import type { Offered } from '../../kernel/operation.ts'
import { answered, type CallCtx, callCtx, known } from './call-tool.ts'
import type { McpOptions } from './server-options.ts'
import { directChannel, type Request } from './transport/client-channel.ts'
import {
  awaitTask,
  isModern,
  type JobTools,
  knowsTasks,
  legacyTask,
  modernTask,
  readTask,
  type Task,
  tasksExtension,
} from './task-state.ts'

type Serving = McpOptions & {
  jobs: JobTools
  from(context: ServerContext): Request
  offerFor(request: Request): Offered
}

const ofTask = { params: z.looseObject({ taskId: z.string() }) }

const relatedTask = 'io.modelcontextprotocol/related-task'

/**
 * Handles the requests about tasks. A task is a job under the same id, so nothing is stored here: any server with the
 * same data can answer, even after a restart, but only to the team that started the job.
 */
export function serveTasks(server: Server, serving: Serving): void {
  const { jobs, invoke } = serving
  const on = (method: string, answer: (id: string, request: Request, ctx: CallCtx) => Promise<object>) =>
    server.setRequestHandler(method, ofTask, async ({ taskId }, context) => {
      const request = serving.from(context)
      if (isModern(context)) requireTasks(request)
      const ctx = callCtx(serving, request, directChannel(request))
      try {
        return { ...(await answer(taskId, request, ctx)) }
      } catch (thrown) {
        if (thrown instanceof ProtocolError) throw thrown
        throw refusal(known(thrown, jobs.status, ctx))
      } finally {
        ctx.stop()
      }
    })
  /** Result of the job, in the form of its tool. */
  const resultOf = async (id: string, { status }: Task['state'], request: Request, ctx: CallCtx) => {
    const result = await answered({ ...serving, offered: serving.offerFor(request) }, jobs.status, { id }, ctx)
    return { ...result, ...(status === 'failed' && { isError: true }) }
  }
  const read = (id: string, ctx: CallCtx) => readTask(id, { status: jobs.status, invoke, ctx })

  on('tasks/get', async (id, request, ctx) => {
    const task = await read(id, ctx)
    if (!isModern(request.context)) return legacyTask(task)
    if (!task.isOver || task.state.status === 'cancelled') return modernTask(task)
    // A failed job reports that in its result; `failed` is for protocol errors.
    const result = await resultOf(id, task.state, request, ctx)
    return {
      ...modernTask({ ...task, state: { ...task.state, status: 'completed' } }),
      result: { resultType: 'complete', ...result },
    }
  })
  on('tasks/result', async (id, request, ctx) => {
    const { state } = await awaitTask(id, { status: jobs.status, invoke, ctx })
    const { _meta: meta, ...result } = await resultOf(id, state, request, ctx)
    return { ...result, _meta: { ...meta, [relatedTask]: { taskId: id } } }
  })
  on('tasks/cancel', async (id, request, ctx) => {
    const before = await read(id, ctx)
    if (isModern(request.context)) return before.isOver ? {} : cancelled(id, ctx).then(() => ({}))
    if (before.isOver)
      throw new ProtocolError(ProtocolErrorCode.InvalidParams, `The task is over: ${before.state.status}`)
    await cancelled(id, ctx)
    return legacyTask(withStatus(await read(id, ctx), 'cancelled'))
  })
  // Jobs never ask their client for input, so an update has no effect.
  on('tasks/update', async (id, _request, ctx) => read(id, ctx).then(() => ({})))

  async function cancelled(id: string, ctx: CallCtx): Promise<void> {
    await firstKnown(invoke, callsFor(jobs.cancel, { id }), ctx)
  }
}

const withStatus = (task: Task, status: Task['state']['status']): Task => ({
  ...task,
  state: { ...task.state, status },
})

function requireTasks({ abilities }: Request): void {
  if (!knowsTasks(abilities))
    throw new MissingRequiredClientCapabilityError({ requiredCapabilities: { extensions: { [tasksExtension]: {} } } })
}

/** An error as that of the protocol. The id of no job, or of a job of another team, is reported as an unknown task. */
function refusal({ status, code, message }: { status: number; code: string; message: string }): ProtocolError {
  const isUnknown = status === 404 || status === 403 || code === 'BAD_REQUEST'
  return isUnknown
    ? new ProtocolError(ProtocolErrorCode.InvalidParams, 'There is no such task')
    : new ProtocolError(ProtocolErrorCode.InternalError, `${code}: ${message}`)
}
