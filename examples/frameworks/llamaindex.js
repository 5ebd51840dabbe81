/** LlamaIndex.TS, whose packages are no longer maintained: for programs that still use it. */
import { openai } from '@llamaindex/openai'
import { mcp } from '@llamaindex/tools'
import { agent } from '@llamaindex/workflow'
import { model, prompt, server, serverHeaders, serverUrl } from './settings.js'

const client = mcp(serverUrl ? { url: serverUrl, requestInit: { headers: serverHeaders } } : server)
try {
  const reader = agent({
    tools: await client.tools(),
    llm: openai({ model: model.name, apiKey: model.key, baseURL: model.baseUrl }),
  })
  const { data } = await reader.run(prompt)
  console.log(data.result)
} finally {
  await client.cleanup()
}
