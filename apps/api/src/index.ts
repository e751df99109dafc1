export { apiConfigFrom, type ApiConfig } from './api-config.js';
export { createApi, type Api } from './create-api.js';
export { describeApi } from './describe-api.js';
