import { parentPort, workerData } from 'node:worker_threads'
import { toAppError } from '../../core/error.ts'
import type { ReadRequest } from '../../core/ports.ts'
import { readHtml } from './read.ts'
import type { ReadAnswer } from './reader.ts'

/** A thread reads one page and ends: a page can keep it busy for as long as it likes. */
function answer(): ReadAnswer {
  try {
    return { parts: readHtml(workerData as ReadRequest) }
  } catch (thrown) {
    const { code, status, message, hint, details, cause } = toAppError(thrown)
    return { error: { code, status, message, hint, details, cause: String(cause) } }
  }
}

// oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread's port has no origin
parentPort?.postMessage(answer())
