import { parentPort } from 'node:worker_threads'
import { toAppError } from '../../../core/error.ts'
import type { ReadRequest } from '../../../core/ports.ts'
import { readHtml } from '../read.ts'
import type { ReadAnswer } from './threads.ts'

/** A thread reads one page after the other; whoever started it ends it, also in the middle of a page. */
function answerTo(request: ReadRequest): ReadAnswer {
  try {
    return { parts: readHtml(request) }
  } catch (thrown) {
    const { code, status, message, hint, details, cause } = toAppError(thrown)
    return { error: { code, status, message, hint, details, cause: String(cause) } }
  }
}

// oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread's port has no origin
parentPort?.on('message', (request: ReadRequest) => parentPort?.postMessage(answerTo(request)))
