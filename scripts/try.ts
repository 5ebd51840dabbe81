/** `npm run try [URL]`: builds the program and runs `gossamer try`. */
import { spawnSync } from 'node:child_process'
import { dirname, join } from 'node:path'
import { bundle } from './build.ts'

const root = dirname(import.meta.dirname)
const caller = process.cwd()
process.chdir(root)
await bundle()
process.chdir(caller)
console.log('Built dist/.\n')
const { status } = spawnSync(process.execPath, [join(root, 'bin/gossamer.cjs'), 'try', ...process.argv.slice(2)], {
  stdio: 'inherit',
})
process.exit(status ?? 1)
