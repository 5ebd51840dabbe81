// Opens a browser with a page, prints its process id, and waits to be killed.
import { openHere } from './machine.ts'

const browser = await openHere({ profileRoot: process.argv[2] ?? '' })
await browser.connection.browser.send('Target.createTarget', { url: 'about:blank' })
process.stdout.write(`${browser.pid}\n`)
