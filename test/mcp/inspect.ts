import { execFile } from 'node:child_process'
import { promisify } from 'node:util'

/** The checks of the protocol's own inspector on the tools of a command; what it found, and how it ended. */
export async function inspectTools(command: string[]): Promise<{ code: number; stdout: string; stderr: string }> {
  const args = ['--cli', ...command, '--method', 'tools/list', '--strict']
  const env = { ...process.env, MCP_INSPECTOR_SECRET_STORE: 'memory' }
  try {
    const ended = await promisify(execFile)('node_modules/.bin/mcp-inspector', args, { env, timeout: 60_000 })
    return { code: 0, ...ended }
  } catch (thrown) {
    const { code, stdout, stderr } = thrown as { code: number; stdout: string; stderr: string }
    return { code, stdout, stderr }
  }
}
