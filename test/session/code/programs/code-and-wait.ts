import type { Language } from '../../../../src/contracts/session-port.ts'
import { createCodeRunner } from '../../../../src/engine/code/runners.ts'
import { openHere } from '../../../browser/programs/machine.ts'
import { endless, places, shown } from './coding.ts'

/** Runs code that never ends, in the language and sandbox that the arguments name, until this process is killed. */
const [language, place] = process.argv.slice(2) as [Language, string]
const { sandbox, programs = {} } = places.find((each) => each.language === language && each.name === place)!
const browser = await openHere()
const runner = createCodeRunner({ connection: browser.connection, language, sandbox, programs })
const name = crypto.randomUUID()
void shown(browser, name).then(() => process.stdout.write('running\n'))
const code = `${language === 'bash' ? 'sleep 1000 & ' : ''}${endless(language, name)}`
await runner.run({ code, timeoutMs: 300_000 }, new AbortController().signal)
