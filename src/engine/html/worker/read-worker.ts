import { setFlagsFromString } from 'node:v8'
import { parentPort } from 'node:worker_threads'
import { toAppError, packThrown } from '../../../kernel/error.ts'
import { createIdleMemory } from '../../store/idle-memory.ts'
import { readHtml } from '../page/read-parts.ts'
import type { ReadResponse } from './html-reader.ts'
import type { ReadRequest } from '../../../contracts/page-content.ts'

/**
 * Pages being read during a scavenge make V8 assume that DOM nodes are long-lived. It then allocates later nodes in the
 * old generation (pretenuring), where finished pages keep young objects alive: collecting them took up to a seventh of
 * the CPU of a crawl.
 */
setFlagsFromString('--no-allocation-site-pretenuring')

/** A thread reads one page after another; its owner may terminate it at any time. */
function answerTo(request: ReadRequest): ReadResponse {
  try {
    return { parts: readHtml(request) }
  } catch (thrown) {
    return { thrown: packThrown(toAppError(thrown)) }
  }
}

const memory = createIdleMemory()

parentPort?.on('message', (request: ReadRequest) => {
  // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread's port has no origin
  parentPort?.postMessage(answerTo(request))
  memory.worked()
})
