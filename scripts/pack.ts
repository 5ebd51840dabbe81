/**
 * `npm run pack [-- --out FOLDER]`: packs a fresh build as an npm package and as a desktop bundle (MCPB). npm builds
 * first, since it runs `prepack` before `pack`.
 */
import { execFileSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join, resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { validateManifest } from '@anthropic-ai/mcpb'
import { leaveOut } from './pack/leave-out.ts'
import { stage } from './pack/stage.ts'
import { zipOf } from './pack/zip.ts'

/** Files of no use to stdio clients: pages for contributors, operators and programs, and the dashboard. */
const notForDesktops = [
  'dist/dashboard',
  'dist/sbom.cdx.json',
  'dist/types',
  ...[
    'architecture.md',
    'dashboard.md',
    'index.md',
    'library.md',
    'openapi.json',
    'reference/index.md',
    'scaling.md',
  ].map((name) => `docs/${name}`),
]
/** Parts of the program that are excluded too: servers and terminal features, and the library, which nothing loads. */
const partsNotForDesktops = ['completion', 'open-telemetry', 'serve']

const { values } = parseArgs({
  options: {
    out: { type: 'string', default: '.' },
    dist: { type: 'string', default: 'dist' },
  },
})
const out = resolve(values.out)
process.chdir(dirname(import.meta.dirname))
mkdirSync(out, { recursive: true })
const folder = mkdtempSync(join(tmpdir(), 'gossamer-pack-'))
try {
  stage(folder, resolve(values.dist))
  execFileSync('npm', ['pack', folder, '--ignore-scripts', '--pack-destination', out], { stdio: 'inherit' })
  for (const path of notForDesktops) rmSync(join(folder, path), { recursive: true })
  leaveOut(partsNotForDesktops, join(folder, 'dist'))
  if (!validateManifest(join(folder, 'manifest.json'))) throw new Error('manifest.json is not a valid MCPB manifest.')
  writeFileSync(join(out, 'gossamer.mcpb'), zipOf(folder))
} finally {
  rmSync(folder, { recursive: true, force: true })
}
