/** OpenAI Agents SDK. With STRICT_SCHEMAS=1 the server describes its tools in strict form, so the model can only write valid calls. */
import {
  Agent,
  MCPServerStdio,
  MCPServerStreamableHttp,
  OpenAIChatCompletionsModel,
  run,
  setTracingDisabled,
} from '@openai/agents'
import OpenAI from 'openai'
import { model, prompt, server, serverHeaders, serverUrl } from './settings.js'

setTracingDisabled(true)
const isStrict = process.env.STRICT_SCHEMAS === '1'
const headers = { ...serverHeaders, ...(isStrict && { 'X-Gossamer-Schemas': 'strict' }) }
const env = { ...server.env, ...(isStrict && { GOSSAMER_MCP_SCHEMAS: 'strict' }) }
const mcp = serverUrl
  ? new MCPServerStreamableHttp({ url: serverUrl, requestInit: { headers } })
  : new MCPServerStdio({ ...server, env })
await mcp.connect()
try {
  const client = new OpenAI({ baseURL: model.baseUrl, apiKey: model.key })
  const agent = new Agent({
    name: 'reader',
    instructions: 'Answer from pages that you have read.',
    model: new OpenAIChatCompletionsModel(client, model.name),
    mcpServers: [mcp],
    mcpConfig: { convertSchemasToStrict: isStrict },
  })
  const { finalOutput } = await run(agent, prompt)
  console.log(finalOutput)
} finally {
  await mcp.close()
}
