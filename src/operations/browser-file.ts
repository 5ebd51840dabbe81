import { z } from 'zod'
import { defineOperation } from '../kernel/operation.ts'
import { presentFile } from '../present/session.ts'
import { words } from '../schema/limits.ts'
import { SessionId } from '../schema/session.ts'

export default defineOperation({
  name: 'browser_file',
  route: 'GET /v2/browser/:sessionId/files/:file',
  aliases: ['GET /v2/interact/:sessionId/files/:file'],
  title: 'File of a live browser',
  about:
    'Get a file that a page of a browser session gave for download. It is kept in memory as long as the session lasts.',
  effect: 'read',
  example: { sessionId: '0190c2a0-0000-7000-8000-000000000000', file: 'f1' },
  input: z.object({ sessionId: SessionId, file: words(20).describe('Id that the act has told, such as f1.') }),
  output: z.object({
    name: z.string().describe('As the page calls it: never use it as a path.'),
    mediaType: z.string(),
    base64: z.string(),
  }),
  errors: ['SESSION_NOT_FOUND', 'SESSION_GONE', 'JOB_OF_OTHER_TEAM'],
  mcp: {
    tool: false,
    resource: {
      template: 'browser-session://{sessionId}/files/{file}',
      name: 'Live browser: downloaded file',
      mimeType: 'application/octet-stream',
    },
    present: (file) => presentFile(file),
  },
  run: ({ sessionId, file }, { ports, team }) => ports.sessions.file({ id: sessionId, teamId: team.id }, file),
})
