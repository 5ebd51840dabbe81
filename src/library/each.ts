import type { Document, JobEnd } from './api.ts'
import type { EachOptions, PageHandler } from './options.ts'
import type { Pages } from './pages.ts'

/** Hands each page of a job to a function, as many at a time as `concurrency` says. What a handler throws cancels the job. */
export function eachPage(readPages: Pages) {
  return async (input: object, handle: PageHandler<Document>, options: EachOptions = {}): Promise<JobEnd> => {
    const { signal: given, concurrency = 1 } = options
    const failed = new AbortController()
    const signal = given ? AbortSignal.any([given, failed.signal]) : failed.signal
    const pages = readPages(input, { signal })
    let end: JobEnd | undefined
    // A generator answers calls of next() one after the other, so that workers share it.
    const work = async () => {
      while (!signal.aborted) {
        const { done, value } = await pages.next()
        if (done) {
          end ??= value
          return
        }
        await handle(value, { signal })
      }
    }
    const workers = Array.from({ length: Math.max(1, Math.floor(concurrency)) }, () =>
      work().catch((thrown: unknown) => failed.abort(thrown)),
    )
    await Promise.all(workers)
    await pages.return(end!)
    signal.throwIfAborted()
    return end!
  }
}
