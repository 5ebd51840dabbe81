import { freePort } from '../helpers/listen.ts'
import { type Program, startProgram, tempDir } from '../helpers/program.ts'
import { clusterEnv } from './cluster-kit.ts'

/** Secret that servers need to call each other. */
export const secret = 'the servers of this test know it'

export type Member = { url: string; program: Program; stop(): Promise<void> }

/** Starts a server with a role that the other servers of the database can call. */
export async function startMember(
  databaseUrl: string,
  role: string,
  more: Record<string, string> = {},
): Promise<Member> {
  const [folder, port] = [tempDir(), await freePort()]
  const url = `http://127.0.0.1:${port}`
  const settings = {
    GOSSAMER_ROLE: role,
    GOSSAMER_NODE_URL: url,
    GOSSAMER_NODE_SECRET: secret,
    GOSSAMER_UNSANDBOXED_CODE: 'always',
    GOSSAMER_API_KEYS: 'alpha:key-of-alpha,beta:key-of-beta',
  }
  const env = clusterEnv(databaseUrl, folder.path, { ...settings, ...more })
  const program = startProgram(['serve', '--port', String(port)], env)
  await program.waitForStderr(/listens on/)
  return {
    url,
    program,
    async stop() {
      program.kill('SIGKILL')
      await program.exited
      folder.remove()
    },
  }
}
