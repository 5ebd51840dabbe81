/** The Agents SDK of OpenAI. With STRICT_SCHEMAS=1 the schemas of tools are made strict; those that take any object stay as they are. */
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
const mcp = serverUrl
  ? new MCPServerStreamableHttp({ url: serverUrl, requestInit: { headers: serverHeaders } })
  : new MCPServerStdio(server)
await mcp.connect()
try {
  const client = new OpenAI({ baseURL: model.baseUrl, apiKey: model.key })
  const agent = new Agent({
    name: 'reader',
    instructions: 'Answer from pages that you have read.',
    model: new OpenAIChatCompletionsModel(client, model.name),
    mcpServers: [mcp],
    mcpConfig: { convertSchemasToStrict: process.env.STRICT_SCHEMAS === '1' },
  })
  const { finalOutput } = await run(agent, prompt)
  console.log(finalOutput)
} finally {
  await mcp.close()
}
