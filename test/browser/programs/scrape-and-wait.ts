// Starts to visit a page that never answers, prints that, and waits to be killed.
import { openRenderer } from './rendering.ts'

const [origin = '', profileRoot = ''] = process.argv.slice(2)
const { render } = await openRenderer([new URL(origin).host], { profileRoot })
await render(`${origin}/plain`)
process.stdout.write('ready\n')
await render(`${origin}/hang`)
