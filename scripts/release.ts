/**
 * `npm run release [-- --repository URL] [--out FOLDER]`: packs a fresh build as an npm package and as a desktop bundle
 * (MCPB). Without the address of the repository the packed README has no links into it.
 */
import { execFileSync } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join, resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { packExtension } from '@anthropic-ai/mcpb'
import { repositoryUrl, stage } from './release/stage.ts'

const { values } = parseArgs({ options: { repository: { type: 'string' }, out: { type: 'string', default: '.' } } })
const out = resolve(values.out)
process.chdir(dirname(import.meta.dirname))
const folder = mkdtempSync(join(tmpdir(), 'gossamer-release-'))
try {
  stage(folder, values.repository === undefined ? undefined : repositoryUrl(values.repository))
  execFileSync('npm', ['pack', folder, '--ignore-scripts', '--pack-destination', out], { stdio: 'inherit' })
  if (!(await packExtension({ extensionPath: folder, outputPath: join(out, 'gossamer.mcpb') }))) process.exitCode = 1
} finally {
  rmSync(folder, { recursive: true, force: true })
}
