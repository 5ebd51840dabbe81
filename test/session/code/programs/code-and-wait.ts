import { createCodeRunner } from '../../../../src/engine/code/runners.ts'
import { openHere } from '../../../browser/programs/machine.ts'
import { endless, places, shown } from './coding.ts'

/**
 * Runs endless code in every language and sandbox until this process is killed. Prints `running` once all of them run.
 */
const browser = await openHere()
const { connection } = browser
const running = places.map(async ({ language, sandbox, programs = {} }) => {
  const { browserContextId: contextId } = await connection.browser.send('Target.createBrowserContext', {})
  await connection.browser.send('Target.createTarget', { url: 'about:blank', browserContextId: contextId })
  const runner = createCodeRunner({ connection, language, sandbox, programs, reach: { contextId } })
  const name = crypto.randomUUID()
  const begins = shown(browser, name)
  const code = `${language === 'bash' ? 'sleep 1000 & ' : ''}${endless(language, name)}`
  void runner.run({ code, timeoutMs: 300_000 }, new AbortController().signal)
  await begins
})
await Promise.all(running)
process.stdout.write('running\n')
