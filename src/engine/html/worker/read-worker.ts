import { setFlagsFromString } from 'node:v8'
import { parentPort } from 'node:worker_threads'
import type { ReadRequest } from '../../../contracts/ports.ts'
import { toAppError } from '../../../kernel/error.ts'
import { readHtml } from '../page/read.ts'
import type { ReadResponse } from './reader.ts'

/**
 * A page that is in the middle of being read when young objects are collected looks to the engine as if its nodes lived
 * long. It then makes all later ones among the old, where those of a page that is done hold its young ones alive as well:
 * up to a seventh of the CPU of a crawl went into collecting them.
 */
setFlagsFromString('--no-allocation-site-pretenuring')

/** A thread reads one page after the other; whoever started it ends it, also in the middle of a page. */
function answerTo(request: ReadRequest): ReadResponse {
  try {
    return { parts: readHtml(request) }
  } catch (thrown) {
    const { code, status, message, hint, details, cause } = toAppError(thrown)
    return { error: { code, status, message, hint, details, cause: String(cause) } }
  }
}

// oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread's port has no origin
parentPort?.on('message', (request: ReadRequest) => parentPort?.postMessage(answerTo(request)))
