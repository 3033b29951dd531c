// The part of undici that the wire uses: its index, with fetch, WebSocket and mocks, takes a twelfth of a short run.
import api from "undici/lib/api/index.js";
import buildConnector from "undici/lib/core/connect.js";
import Agent from "undici/lib/dispatcher/agent.js";
import Dispatcher from "undici/lib/dispatcher/dispatcher.js";
import EnvHttpProxyAgent from "undici/lib/dispatcher/env-http-proxy-agent.js";

// As the index does.
Object.assign(Dispatcher.prototype, api);

export { Agent, buildConnector, EnvHttpProxyAgent };
