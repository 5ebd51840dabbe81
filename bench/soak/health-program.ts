/**
 * Requests an address four times a second, regardless of earlier results, until stdin ends; then prints the results.
 */
export type Asked = {
  tookMs: number
  isOk: boolean
  /** Delay of the request itself in this otherwise idle program, caused by the machine. */
  lateMs: number
}

const everyMs = 250
const timeoutMs = 30_000

const [url = ''] = process.argv.slice(2)
const asked: Asked[] = []
let dueAt = performance.now() + everyMs

async function ask(): Promise<void> {
  const startedAt = performance.now()
  const lateMs = Math.max(0, startedAt - dueAt)
  dueAt = startedAt + everyMs
  const isOk = await fetch(url, { signal: AbortSignal.timeout(timeoutMs) }).then(
    async (response) => (await response.text()) !== '' && response.ok,
    () => false,
  )
  asked.push({ tookMs: performance.now() - startedAt, isOk, lateMs })
}

const timer = setInterval(() => void ask(), everyMs)
process.stdin.resume().once('end', () => {
  clearInterval(timer)
  process.stdout.write(JSON.stringify(asked))
})
