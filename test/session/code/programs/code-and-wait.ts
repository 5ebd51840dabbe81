import type { Language } from '../../../../src/contracts/session.ts'
import { createCodeRunner } from '../../../../src/engine/code/runners.ts'
import { openHere } from '../../../browser/programs/machine.ts'
import { places } from './coding.ts'

/** Runs code that never ends, in the language and sandbox that the arguments name, until this process is killed. */
const [language, place] = process.argv.slice(2) as [Language, string]
const { sandbox, programs = {} } = places.find((each) => each.language === language && each.name === place)!
const browser = await openHere()
const runner = createCodeRunner({ connection: browser.connection, language, sandbox, programs })
const codes: Record<Language, string> = {
  node: 'for (;;);',
  python: 'while True: pass',
  bash: 'agent-browser get url >/dev/null; sleep 1000 & while :; do :; done',
}
const running = runner.run({ code: codes[language], timeoutMs: 300_000 }, new AbortController().signal)
setTimeout(() => process.stdout.write('running\n'), 1500)
await running
