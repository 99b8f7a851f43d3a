// RepriseCurl
