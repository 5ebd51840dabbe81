/** LangChain: the MCP adapters make the tools of the server LangChain tools. */
import { MultiServerMCPClient } from '@langchain/mcp-adapters'
import { ChatOpenAI } from '@langchain/openai'
import { createAgent } from 'langchain'
import { model, prompt, server, serverHeaders, serverUrl } from './settings.js'

const client = new MultiServerMCPClient({
  mcpServers: {
    gossamer: serverUrl
      ? { transport: 'http', url: serverUrl, headers: serverHeaders }
      : { transport: 'stdio', ...server },
  },
  // A link to the whole of an answer becomes a file by URL, which models behind the OpenAI API refuse.
  afterToolCall: ({ result: [content, artifact] }) => ({
    result: [Array.isArray(content) ? content.filter(({ type }) => type !== 'file') : content, artifact],
  }),
})
try {
  const agent = createAgent({
    model: new ChatOpenAI({ model: model.name, apiKey: model.key, configuration: { baseURL: model.baseUrl } }),
    tools: await client.getTools(),
  })
  const { messages } = await agent.invoke({ messages: [{ role: 'user', content: prompt }] })
  console.log(messages.at(-1).content)
} finally {
  await client.close()
}
