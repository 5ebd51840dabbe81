/** `npm run desktop`: packs the program as a desktop bundle (MCPB) from a fresh build. */
import { execFileSync } from 'node:child_process'
import { cpSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'

process.chdir(dirname(import.meta.dirname))
const folder = mkdtempSync(join(tmpdir(), 'gossamer-desktop-'))
try {
  for (const path of ['bin', 'dist', 'manifest.json', 'package.json', 'LICENSE'])
    cpSync(path, join(folder, path), { recursive: true })
  execFileSync('mcpb', ['pack', folder, 'gossamer.mcpb'], { stdio: 'inherit' })
} finally {
  rmSync(folder, { recursive: true, force: true })
}
