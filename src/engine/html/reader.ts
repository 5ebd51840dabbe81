import { Worker } from 'node:worker_threads'
import { AppError, failure } from '../../core/error.ts'
import type { PageParts, ReadHtml, ReadRequest } from '../../core/ports.ts'
import { threadUrl } from '../../core/thread-url.ts'
import { createTurns } from '../../core/turns.ts'

export type ReadAnswer =
  | { parts: PageParts; error?: undefined }
  | { parts?: undefined; error: ConstructorParameters<typeof AppError>[1] & { code: string } }

export type ReaderOptions = {
  /** Longer pages are read in a thread of their own, which can be ended; shorter ones take less time here than a thread takes to start. */
  threadFromCharacters?: number
  /** Threads at a time; further long pages wait. */
  maxThreads?: number
  /** Memory of a thread; a page that needs more fails with SCRAPE_SITE_ERROR. */
  maxThreadMb?: number
}

/**
 * Reads short pages here, where they hold up other calls for some tens of milliseconds, and long ones in a thread, which
 * ends with the signal and cannot take the memory of the program.
 */
export function createReader(options: ReaderOptions = {}): ReadHtml {
  const { threadFromCharacters = 300_000, maxThreads = 2, maxThreadMb = 1024 } = options
  const turns = createTurns(maxThreads)
  return async (request, signal) => {
    if (request.html.length < threadFromCharacters) {
      const { readHtml } = await import('./read.ts')
      signal.throwIfAborted()
      return readHtml(request)
    }
    await turns.take(signal)
    return readInThread(request, maxThreadMb, signal).finally(turns.release)
  }
}

async function readInThread(request: ReadRequest, maxThreadMb: number, signal: AbortSignal): Promise<PageParts> {
  signal.throwIfAborted()
  const thread = new Worker(threadUrl('read-worker', import.meta.url), {
    workerData: request,
    env: {},
    resourceLimits: { maxOldGenerationSizeMb: maxThreadMb },
  })
  const { promise, resolve, reject } = Promise.withResolvers<PageParts>()
  const leave = () => reject(signal.reason as Error)
  signal.addEventListener('abort', leave, { once: true })
  thread.once('message', ({ parts, error }: ReadAnswer) =>
    parts ? resolve(parts) : reject(new AppError(error.code, error)),
  )
  thread.once('error', (cause) => reject(failureOf(cause)))
  thread.once('exit', () => reject(new Error('The thread that reads a page ended without an answer.')))
  return promise.finally(() => {
    signal.removeEventListener('abort', leave)
    void thread.terminate()
  })
}

function failureOf(cause: Error): Error {
  const isTooLarge = (cause as NodeJS.ErrnoException).code === 'ERR_WORKER_OUT_OF_MEMORY'
  return isTooLarge ? failure('SCRAPE_SITE_ERROR', { message: 'The page is too large to be read.', cause }) : cause
}
