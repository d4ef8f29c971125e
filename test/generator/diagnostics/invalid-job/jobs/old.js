// export default defineJob
